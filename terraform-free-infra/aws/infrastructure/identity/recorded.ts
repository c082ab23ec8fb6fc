import type { State } from '../../../engine/engine.ts'

export const roleNameKey = 'IAMRoleName'
export const profileNameKey = 'IAMInstanceProfileName'

/** The key that marks a recorded resource as foreign: it is only used. */
export const foreignKey = (stateKey: string): string => `Foreign/${stateKey}`

/** Returns true if the state records the resource under this key as ours. */
export const isRecorded = (state: State, stateKey: string, name: string): boolean =>
  state[stateKey] === name && state[foreignKey(stateKey)] !== name
