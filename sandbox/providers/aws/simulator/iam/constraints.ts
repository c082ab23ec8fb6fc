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
  if (value === '' && kind !== 'description') {
    throw violation(text, member, 'Member must have length greater than or equal to 1')
  }
  if (text.length > longest) {
    throw violation(text, member, `Member must have length less than or equal to ${longest}`)
  }
  if (value !== undefined && !pattern.test(text)) {
    throw violation(text, member, `Member must satisfy regular expression pattern: ${shown}`)
  }
  return text
}

/** @throws AwsError ValidationError */
export const checkSessionDuration = (seconds: number | undefined): number => {
  const value = seconds ?? 3600
  if (value < 3600) {
    throw violation(
      String(value),
      'maxSessionDuration',
      'Member must have value greater than or equal to 3600',
    )
  }
  if (value > 43_200) {
    throw violation(String(value), 'maxSessionDuration', 'Member must have value less than or equal to 43200')
  }
  return value
}

const tagPattern = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u

/**
 * Returns the tags with the added ones: at most 50, keys unique ignoring case, none with the prefix `aws:` ("Tags for
 * IAM resources", IAM user guide).
 *
 * @throws AwsError ValidationError, InvalidInput or LimitExceeded
 */
export const withTags = (
  present: readonly IamTag[],
  added: readonly { Key?: string | undefined; Value?: string | undefined }[],
  resource: string,
): IamTag[] => {
  const tags = added.map(({ Key = '', Value = '' }) => ({ Key, Value }))
  for (const [index, { Key, Value }] of tags.entries()) {
    const place = `tags.${index + 1}.member`
    if (Key === '') throw violation(Key, `${place}.key`, 'Member must have length greater than or equal to 1')
    if (Key.length > 128) {
      throw violation(Key, `${place}.key`, 'Member must have length less than or equal to 128')
    }
    if (Value.length > 256) {
      throw violation(Value, `${place}.value`, 'Member must have length less than or equal to 256')
    }
    for (const [member, text] of [
      ['key', Key],
      ['value', Value],
    ] as const) {
      if (!tagPattern.test(text)) {
        throw violation(
          text,
          `${place}.${member}`,
          'Member must satisfy regular expression pattern: [\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+',
        )
      }
    }
    if (Key.toLowerCase().startsWith('aws:')) {
      throw refuse(
        'InvalidInput',
        `The tag keys with prefix 'aws:' are reserved for AWS internal use: ${Key}`,
      )
    }
  }
  const keys = tags.map(({ Key }) => Key.toLowerCase())
  if (new Set(keys).size < keys.length) {
    throw refuse('InvalidInput', 'Duplicate tag keys found. Please note that Tag keys are case insensitive.')
  }
  const merged = [...present.filter(({ Key }) => !keys.includes(Key.toLowerCase())), ...tags]
  if (merged.length > 50) throw refuse('LimitExceeded', `Cannot exceed quota for TagsPer${resource}: 50`)
  return merged
}

export const withoutTags = (present: readonly IamTag[], keys: readonly string[] = []): IamTag[] => {
  const gone = new Set(keys.map(key => key.toLowerCase()))
  return present.filter(({ Key }) => !gone.has(Key.toLowerCase()))
}
