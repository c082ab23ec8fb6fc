import type { KindField } from './kind.ts'

type Options = Omit<KindField, 'type' | 'initial'>

export const text = (initial?: string | null, options: Options = {}): KindField => ({
  type: 'text',
  initial,
  ...options,
})
export const flag = (initial?: boolean, options: Options = {}): KindField => ({
  type: 'flag',
  initial,
  ...options,
})
export const number = (initial?: number | null, options: Options = {}): KindField => ({
  type: 'number',
  initial,
  ...options,
})
export const list = (initial?: readonly unknown[], options: Options = {}): KindField => ({
  type: 'list',
  initial,
  ...options,
})
export const record = (initial?: object | null, options: Options = {}): KindField => ({
  type: 'record',
  initial,
  ...options,
})

/** Only a creation may have it. */
export const fixed: Options = { inUpdate: false }
/** Only a creation may have it, and null is a value. */
export const fixedOrNull: Options = { inUpdate: false, nullable: true }
/** Only admins may set it. */
export const ofAdmin: Options = { role: '' }
