import { refuse } from '../service.ts'
import type { IamTag } from './state.ts'

/* The checks that IAM runs first. Lengths and patterns: the parameters' pages of the IAM API reference. */

interface Constraint {
  readonly member: string
  readonly longest: number
  readonly pattern: RegExp
  /** The pattern as the error message shows it. */
  readonly shown: string
}

const word = { pattern: /^[\w+=,.@-]*$/, shown: '[\\w+=,.@-]+' }

const constraints = {
  roleName: { member: 'roleName', longest: 64, ...word },
  instanceProfileName: { member: 'instanceProfileName', longest: 128, ...word },
  policyName: { member: 'policyName', longest: 128, ...word },
  path: {
    member: 'path',
    longest: 512,
    pattern: /^(?:\/|\/[\u0021-\u007E]+\/)$/,
    shown: '(\\u002F)|(\\u002F[\\u0021-\\u007E]+\\u002F)',
  },
  description: {
    member: 'description',
    longest: 1000,
    pattern: /^[\t\n\r\u0020-\u007E\u00A1-\u00FF]*$/,
    shown: '[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u00A1-\\u00FF]*',
  },
} as const satisfies Record<string, Constraint>

const violation = (value: string, member: string, rule: string) =>
  refuse(
    'ValidationError',
    member === 'path' && rule.startsWith('Member must satisfy')
      ? 'The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.'
      : `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: ${rule}`,
    { status: 400 },
  )

/** @throws AwsError ValidationError */
export const check = (kind: keyof typeof constraints, value: string | undefined): string => {
  const { member, longest, pattern, shown }: Constraint = constraints[kind]
  const text = value ?? ''
  if (text.length > longest) {
    throw violation(text, member, `Member must have length less than or equal to ${longest}`)
  }
  if (value !== undefined && !pattern.test(text)) {
    throw violation(text, member, `Member must satisfy regular expression pattern: ${shown}`)
  }
  return text
}

/** Returns the tags of a new entity. The keys are unique ignoring case ("Tags for IAM resources", IAM user guide). */
export const newTags = (
  added: readonly { Key?: string | undefined; Value?: string | undefined }[] = [],
): IamTag[] => {
  const tags = added.map(({ Key = '', Value = '' }) => ({ Key, Value }))
  if (new Set(tags.map(({ Key }) => Key.toLowerCase())).size < tags.length) {
    throw refuse('InvalidInput', 'Duplicate tag keys found. Please note that Tag keys are case insensitive.')
  }
  return tags
}
