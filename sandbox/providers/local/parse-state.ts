import * as z from 'zod'
import { formatProblems, problemsOf } from '../../../shared/decode/problems.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ParsedState } from '../provider.ts'
import type { StoredRecord } from './name-server/name-server.ts'

export interface LocalState {
  readonly objects: readonly KubernetesObject[]
  readonly records: readonly StoredRecord[]
}

const stateSchema = z.object({
  objects: z.array(
    z.looseObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().optional() }),
    }),
  ),
  records: z.array(
    z.looseObject({ name: z.string(), type: z.enum(['A', 'AAAA', 'CNAME', 'TXT']), ttl: z.int().min(0) }),
  ),
})

/** The result of `snapshot`. */
export const parseState = (value: unknown): ParsedState => {
  const { data, error } = stateSchema.safeParse(value)
  if (error === undefined) return { ok: true, state: data }
  return { ok: false, problem: formatProblems(problemsOf(error.issues.slice(0, 5), value)) }
}
