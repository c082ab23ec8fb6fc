import type { NormalizedSchema } from '@smithy/core/schema'
import type { WireRequest } from '../../../codec/message.ts'
import { memberKey, parseForm } from '../../../codec/query/query-read.ts'
import { refuse } from '../../../service.ts'
import { ec2Model } from '../model.ts'

/** Parameters that every request may have. Presigned requests also carry their signature. */
const common = /^(?:Action|Version|X-Amz-[A-Za-z-]+)$/

const memberNamed = (schema: NormalizedSchema, name: string): NormalizedSchema | undefined => {
  for (const [, member] of schema.structIterator()) {
    if (memberKey(member, 'ec2Query') === name) return member
  }
  return undefined
}

/** Returns true if the dotted name of a parameter leads to a simple value of the schema. */
const isKnown = (schema: NormalizedSchema, steps: readonly string[]): boolean => {
  const [step, ...rest] = steps
  if (schema.isStructSchema()) {
    const member = step === undefined ? undefined : memberNamed(schema, step)
    return member !== undefined && isKnown(member, rest)
  }
  if (schema.isListSchema()) {
    return step !== undefined && /^\d{1,9}$/.test(step) && isKnown(schema.getValueSchema(), rest)
  }
  return step === undefined
}

const entriesOf = (request: WireRequest): readonly (readonly [string, string])[] => [
  ...parseForm(request.body),
  ...[...request.query].flatMap(([name, values]) => values.map(value => [name, value] as const)),
]

/**
 * Refuses what the codec ignores: another API version, and parameters that the operation does not have ("Common client
 * error codes", EC2 API reference).
 *
 * @throws AwsError NoSuchVersion or UnknownParameter
 */
export const checkForm = (request: WireRequest, action: string): void => {
  const input = ec2Model.operations.get(action)?.input
  for (const [name, value] of entriesOf(request)) {
    if (name === 'Version' && value !== ec2Model.version) {
      throw refuse('NoSuchVersion', `The requested version (${value}) of service AmazonEC2 does not exist`)
    }
    if (common.test(name) || !input || isKnown(input, name.split('.'))) continue
    throw refuse('UnknownParameter', `The parameter ${name} is not recognized`)
  }
}
