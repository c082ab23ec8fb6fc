import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** A comment above the object, or above the entry at a path. */
export type Comment = string | readonly [path: readonly (string | number)[], text: string]

/** An object with its reasons, which become comments in a file. */
export interface Explained<O extends KubernetesObject = KubernetesObject> {
  readonly object: O
  readonly comments: readonly Comment[]
}

export const explained = <O extends KubernetesObject>(
  object: O,
  comments: string | readonly Comment[] = [],
): Explained<O> => ({ object, comments: [comments].flat() })
