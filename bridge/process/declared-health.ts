import * as z from 'zod'
import type { DeclaredHealth } from '../../shared/contract/health.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import { parsedJson } from '../../shared/decode/record-of.ts'

const text = z.string().min(1)

const schema = z.array(
  z.strictObject({
    kind: z.enum(kindNames),
    type: text,
    conditions: z.array(text).min(1),
    reads: z.array(
      z.strictObject({
        resource: z.strictObject({
          group: z.string(),
          version: text,
          plural: text,
          namespaced: z.literal(true),
        }),
        name: text.exactOptional(),
        labelSelector: text.exactOptional(),
      }),
    ),
  }),
)

/**
 * Reads `TRELLIS_HEALTH`, the JSON of a list of `DeclaredHealth`. Throws an Error that names the field if the text is
 * anything else.
 */
export const parseDeclaredHealth = (given: string): readonly DeclaredHealth[] => {
  const parsed = schema.safeParse(parsedJson(given))
  if (parsed.success) return parsed.data
  throw new TypeError(
    parsed.error.issues
      .map(({ path, message }) => {
        const at = path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
        return at === '' ? 'expected a list in JSON' : `${at}: ${message}`
      })
      .join('; '),
  )
}
