import { describe, expect, test } from 'vitest'
import { adviceOf, causesIn } from './advice.ts'

describe('the advice on an error', () => {
  test.each([[[]], [['ERR_CONFIGURATION_PROBLEM']]])(
    'with a missing Secret that gardenlet writes asks no user to correct a field, whatever its codes: %j',
    codes => {
      const text =
        'Error reconciling Infrastructure: cannot read the Secret a/cloudprovider of spec.secretRef: not found'
      const fix = adviceOf({ text, codes })
      expect(fix).toMatch(/^gardenlet writes the Secret a\/cloudprovider: the operator/)
      expect(fix).not.toMatch(/user corrects/)
    },
  )

  test('with a wrong signature is only about the credentials', () => {
    for (const codes of [
      ['ERR_INFRA_UNAUTHENTICATED', 'ERR_CONFIGURATION_PROBLEM'],
      ['ERR_CONFIGURATION_PROBLEM', 'ERR_INFRA_UNAUTHORIZED', 'ERR_INFRA_UNAUTHENTICATED'],
    ])
      expect(adviceOf({ text: 'SignatureDoesNotMatch', codes })).toBe(
        "the user replaces the credentials in the shoot's Secret and retries the shoot",
      )
  })

  test('with causes of their own is about each', () => {
    const fix = adviceOf({ text: 'x', codes: ['ERR_INFRA_QUOTA_EXCEEDED', 'ERR_INFRA_DEPENDENCIES'] })
    expect(fix).toMatch(/higher quota.*; .*blocks the operation/)
  })

  test('never says two contradictory things', () => {
    const fix = adviceOf({ text: 'x', codes: ['ERR_INFRA_RESOURCES_DEPLETED', 'ERR_INFRA_QUOTA_EXCEEDED'] })
    expect(fix).not.toContain('no action')
  })

  test.each([
    [
      'cannot read it: infrastructures is forbidden: User "x" cannot get',
      /^the operator grants the permission/,
    ],
    ['connect ECONNREFUSED 10.0.0.1:443', /^the operator checks the way from the seed/],
    ['fetch failed', /^the operator checks the way from the seed/],
    ['something unexpected', /^the operator of the seed reads the message/],
  ])('without a code is by its cause: %s', (text, says) => {
    expect(adviceOf({ text, codes: [] })).toMatch(says)
  })
})

describe('the causes in the text of an error', () => {
  test('are one line each, and name the operation once', () => {
    const prefix = 'Error reconciling infrastructure: '
    expect(
      causesIn(
        `${prefix}a failed\n${prefix}b failed\n  * error reconciling infrastructure: c failed\nb failed`,
      ),
    ).toEqual([`${prefix}a failed`, 'b failed', 'c failed'])
    expect(causesIn(`${prefix}${prefix}a failed`)).toEqual([`${prefix}a failed`])
    expect(causesIn(`${prefix}a failed\na failed`)).toEqual([`${prefix}a failed`])
  })

  test('of an ordinary text is the text', () => {
    expect(causesIn('it broke: a; b')).toEqual(['it broke: a; b'])
  })
})
