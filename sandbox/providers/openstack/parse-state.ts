import * as z from 'zod'
import { formatProblems, problemsOf } from '../../../shared/decode/problems.ts'
import type { ParsedState } from '../provider.ts'

const item = z.looseObject({ id: z.string(), project_id: z.string() })
const fields = z.record(z.string(), z.unknown())

/** The state of a simulated OpenStack: resources by region and kind, and the changes that are still to come. */
const stateSchema = z.strictObject({
  regions: z.record(
    z.string(),
    z.strictObject({
      items: z.record(z.string(), z.array(item)),
      changes: z.array(
        z.strictObject({
          at: z.number(),
          kind: z.string(),
          id: z.string(),
          from: fields,
          fields: fields.optional(),
        }),
      ),
    }),
  ),
})

export const parseState = (value: unknown): ParsedState => {
  const { data, error } = stateSchema.safeParse(value)
  if (error === undefined) return { ok: true, state: data }
  return {
    ok: false,
    problem: `no state of a simulated OpenStack: ${formatProblems(problemsOf(error.issues, value))}`,
  }
}
