import { isRecord, type JsonRecord } from '../schema/structural-schema.ts'

/** Returns true if a `LabelSelector` of the Kubernetes API matches these labels. An empty one matches everything. */
export const matchesSelector = (
  { matchLabels, matchExpressions }: JsonRecord,
  labels: Readonly<Record<string, string>>,
): boolean =>
  Object.entries(Object(matchLabels) as Record<string, unknown>).every(
    ([name, value]) => labels[name] === value,
  ) &&
  (Array.isArray(matchExpressions) ? matchExpressions.filter(isRecord) : []).every(
    ({ key, operator, values }) => {
      const label = labels[String(key)]
      const isOneOf = label !== undefined && Array.isArray(values) && values.includes(label)
      if (operator === 'In') return isOneOf
      if (operator === 'NotIn') return !isOneOf
      return (label !== undefined) === (operator === 'Exists')
    },
  )
