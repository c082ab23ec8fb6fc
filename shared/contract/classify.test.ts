import { describe, expect, test } from 'vitest'
import { classify, codesOf, determineCodes, gardenerClassifier, matching } from './classify.ts'
import type { ErrorCode } from './constants.ts'
import { CodedError, RequeueAfterError } from './errors.ts'

const coded = (code: ErrorCode, cause?: unknown) => new CodedError(`coded ${code}`, { codes: [code], cause })

const classifiers = [
  matching('ERR_INFRA_QUOTA_EXCEEDED', /quota/i),
  matching('ERR_INFRA_DEPENDENCIES', /conflict/i),
  matching('ERR_INFRA_DEPENDENCIES', /depends/i),
]

describe('the codes of a message', () => {
  test.each<[string, readonly ErrorCode[]]>([
    ['nothing known', []],
    ['Quota is full', ['ERR_INFRA_QUOTA_EXCEEDED']],
    ['quota in conflict, depends', ['ERR_INFRA_DEPENDENCIES', 'ERR_INFRA_QUOTA_EXCEEDED']],
  ])('%j has the codes %j, sorted, each once', (message, codes) => {
    expect(classify(message, classifiers)).toEqual(codes)
  })

  test('the expression of Gardener itself matches in any case', () => {
    const message = 'Error during apply of object "v1/Secret/a" is invalid: data'
    expect(classify(message, [gardenerClassifier])).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(classify('error during apply of object', [gardenerClassifier])).toEqual([])
  })
})

describe('the codes that an error carries', () => {
  const circle = new Error('a')
  circle.cause = new Error('b', { cause: circle })

  test.each<[string, unknown, readonly ErrorCode[]]>([
    ['none', new Error('x'), []],
    ['its own', coded('ERR_PROBLEMATIC_WEBHOOK'), ['ERR_PROBLEMATIC_WEBHOOK']],
    [
      'those of its cause',
      new Error('x', { cause: new Error('y', { cause: coded('ERR_INFRA_UNAUTHORIZED') }) }),
      ['ERR_INFRA_UNAUTHORIZED'],
    ],
    [
      'those of the first one in the chain only',
      coded('ERR_INFRA_DEPENDENCIES', coded('ERR_INFRA_UNAUTHORIZED')),
      ['ERR_INFRA_DEPENDENCIES'],
    ],
    [
      'those of every member, each once',
      new AggregateError([
        coded('ERR_INFRA_UNAUTHORIZED'),
        new Error('x', { cause: coded('ERR_INFRA_DEPENDENCIES') }),
        coded('ERR_INFRA_UNAUTHORIZED'),
        new Error('plain'),
      ]),
      ['ERR_INFRA_UNAUTHORIZED', 'ERR_INFRA_DEPENDENCIES'],
    ],
    [
      'those of members further down',
      new Error('x', { cause: new AggregateError([new AggregateError([coded('ERR_INFRA_UNAUTHORIZED')])]) }),
      ['ERR_INFRA_UNAUTHORIZED'],
    ],
    [
      'those of the error that a delay wraps',
      new RequeueAfterError(coded('ERR_INFRA_RATE_LIMITS_EXCEEDED'), 30_000),
      ['ERR_INFRA_RATE_LIMITS_EXCEEDED'],
    ],
    [
      'only known codes',
      Object.assign(new Error('x', { cause: coded('ERR_INFRA_UNAUTHORIZED') }), { codes: ['ECONNRESET'] }),
      ['ERR_INFRA_UNAUTHORIZED'],
    ],
    ['absent in a circle of causes', circle, []],
    ['absent for a value that is not an error', 'ERR_INFRA_UNAUTHORIZED', []],
    ['absent for undefined', undefined, []],
  ])('the codes are %s', (_, error, codes) => {
    expect(codesOf(error)).toEqual(codes)
  })
})

describe('determining the codes of an error', () => {
  test('an error with codes is unchanged, whatever its message', () => {
    const error = new CodedError('quota', { codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect(determineCodes(error, classifiers)).toBe(error)
    const wrapped = new Error('quota', { cause: error })
    expect(determineCodes(wrapped, classifiers)).toBe(wrapped)
  })

  test('an error without a matching classifier is unchanged', () => {
    const error = new Error('who knows')
    expect(determineCodes(error, classifiers)).toBe(error)
  })

  test('an error gets the codes of its message, and retains message and cause', () => {
    const error = new Error('quota in conflict')
    const determined = determineCodes(error, classifiers)
    expect(codesOf(determined)).toEqual(['ERR_INFRA_DEPENDENCIES', 'ERR_INFRA_QUOTA_EXCEEDED'])
    expect(determined).toMatchObject({ message: 'quota in conflict', cause: error })
  })
})
