import type { KindField } from './kind.ts'

type FieldOptions = Omit<KindField, 'type' | 'initial'>

export const text = (initial?: string | null, options: FieldOptions = {}): KindField => ({
  type: 'text',
  initial,
  ...options,
})
export const flag = (initial?: boolean, options: FieldOptions = {}): KindField => ({
  type: 'flag',
  initial,
  ...options,
})
export const number = (initial?: number | null, options: FieldOptions = {}): KindField => ({
  type: 'number',
  initial,
  ...options,
})
export const list = (initial?: readonly unknown[], options: FieldOptions = {}): KindField => ({
  type: 'list',
  initial,
  ...options,
})
export const record = (initial?: object | null, options: FieldOptions = {}): KindField => ({
  type: 'record',
  initial,
  ...options,
})

/** Only a creation may have it. */
export const fixed: FieldOptions = { inUpdate: false }
/** Only a creation may have it, and null is a value. */
export const fixedOrNull: FieldOptions = { inUpdate: false, nullable: true }
/** Only admins may set it. */
export const ofAdmin: FieldOptions = { role: '' }
