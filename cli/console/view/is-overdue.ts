import type { TreeNode } from '../../observe/observe.ts'

/** Returns true if the next step of an object is due, and no function has started it for a while. */
export const isOverdue = ({ state, next }: Pick<TreeNode, 'state' | 'next'>, now: number): boolean =>
  next?.at !== undefined && next.at <= now && (state === 'waiting' || state === 'failed')
