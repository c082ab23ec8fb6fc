import type { State } from '../../../engine/engine.ts'

export const roleNameKey = 'IAMRoleName'
export const profileNameKey = 'IAMInstanceProfileName'

/** Says that what a key of the state names is somebody else's, and only used. */
export const foreignKey = (stateKey: string): string => `Foreign/${stateKey}`

/** Whether the state records something under a key as ours. */
export const isRecorded = (state: State, stateKey: string, name: string): boolean =>
  state[stateKey] === name && state[foreignKey(stateKey)] !== name
