import { isRecord } from '../../../shared/decode/record-of.ts'
import { leftOut } from '../../../shared/journal/journal.ts'

/**
 * Returns a recorded object with the shape that the API server accepts: a journal leaves out user data and the inline
 * content of files, whatever their type.
 */
export const restoreShape = <T>(value: T): T => restored(value) as T

const restored = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(restored)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, restoredField(name, inner)]))
}

const restoredField = (name: string, value: unknown): unknown => {
  if (value !== leftOut) return restored(value)
  if (name === 'inline') return { encoding: '', data: leftOut }
  return name === 'userData' ? Buffer.from(leftOut).toString('base64') : value
}
