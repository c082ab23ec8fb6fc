import { isDeeper } from '../../../../shared/decode/json-bounds.ts'
import { isRecord, parsedJson } from '../../../../shared/decode/record-of.ts'

/** The parts of an IAM policy statement that the policies of nodes use. */
export interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal?: Readonly<Record<string, string>>
  readonly Action: string | readonly string[]
  readonly Resource?: string | readonly string[]
}

export const policyDocument = (...statements: readonly Statement[]): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements })

/**
 * Returns the canonical form of a policy, which is the same for all equivalent documents: ignores the order of keys,
 * actions and resources, a list around a single value, and whether statements that differ only in their actions are
 * merged. Accepts plain and URL-encoded documents, because IAM returns the latter. Returns text that is not a policy
 * unchanged.
 */
export const canonicalPolicy = (document: string): string => {
  const parsed = parsedJson(document) ?? parsedJson(decoded(document))
  if (!isRecord(parsed) || isDeeper(parsed)) return document
  const merged = new Map<string, Set<string>>()
  for (const statement of listOf(parsed.Statement)) {
    const { Sid: _, Action, ...rest } = isRecord(statement) ? statement : {}
    const key = JSON.stringify(canonical(rest))
    const actions = merged.get(key) ?? new Set()
    for (const action of listOf(Action)) actions.add(String(action))
    merged.set(key, actions)
  }
  const { Statement: _, Id: __, ...head } = parsed
  const statements = [...merged]
    .map(([rest, actions]) => ({ ...JSON.parse(rest), Action: [...actions].sort() }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  return JSON.stringify({ ...head, Statement: statements })
}

const decoded = (document: string): string => {
  try {
    return decodeURIComponent(document)
  } catch {
    return document
  }
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const [only, ...more] = value
    return value.length > 0 && more.length === 0
      ? canonical(only)
      : value.map(canonical).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, canonical(value[key])]),
  )
}
