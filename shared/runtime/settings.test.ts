import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { describeSettings, parseSettings, printableSettings, SettingsError, splitList } from './settings.ts'

const schema = z
  .object({
    seed: z.string().min(1).meta({ description: 'Name of the seed.' }),
    port: z.coerce.number().int().min(0).max(65535).default(8080).meta({ description: 'Port.', env: 'PORT' }),
    dryRun: z.stringbool().default(false).meta({ description: 'Write nothing.', formerName: 'pretend' }),
    kinds: z.string().transform(splitList).default([]).meta({ description: 'Only these kinds.' }),
    token: z.string().min(8).optional().meta({ description: 'Bearer token.', secret: true }),
    logLevel: z.enum(['debug', 'info']).default('info').meta({ description: 'Least level.' }),
  })
  .refine(value => !(value.dryRun && value.token), { error: '--dry-run and --token exclude each other' })

const problemsOf = (input: Parameters<typeof parseSettings>[1]): readonly string[] => {
  try {
    parseSettings(schema, input)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

describe('parseSettings', () => {
  test('flags override the environment, and the environment overrides the default', () => {
    expect(parseSettings(schema, { flags: { seed: 'a' }, env: { TRELLIS_SEED: 'b' } }).seed).toBe('a')
    expect(parseSettings(schema, { env: { TRELLIS_SEED: 'b' } })).toMatchObject({ seed: 'b', port: 8080 })
  })

  test('the second environment name is read only if the derived one is absent', () => {
    const env = { TRELLIS_SEED: 'a', PORT: '1', TRELLIS_PORT: '2' }
    expect(parseSettings(schema, { env }).port).toBe(2)
    expect(parseSettings(schema, { env: { ...env, TRELLIS_PORT: '' } }).port).toBe(1)
  })

  test.each([
    ['logLevel', 'debug', { logLevel: 'debug' }],
    ['log-level', 'debug', { logLevel: 'debug' }],
    ['--log-level', 'debug', { logLevel: 'debug' }],
    ['dryRun', true, { dryRun: true }],
    ['dry-run', 'no', { dryRun: false }],
    ['port', 0, { port: 0 }],
    ['kinds', ['a', 'b'], { kinds: ['a', 'b'] }],
    ['kinds', ' a, ,b', { kinds: ['a', 'b'] }],
    ['seed', undefined, { seed: 'env' }],
  ])('accepts %s=%j from a command line parser', (flag, value, expected) => {
    expect(parseSettings(schema, { flags: { [flag]: value }, env: { TRELLIS_SEED: 'env' } })).toMatchObject(
      expected,
    )
  })

  test('the returned value is deeply frozen', () => {
    const settings = parseSettings(schema, { env: { TRELLIS_SEED: 'a', TRELLIS_KINDS: 'x' } })
    expect(Object.isFrozen(settings) && Object.isFrozen(settings.kinds)).toBe(true)
  })

  test.each([
    [{ env: {} }, 'missing setting --seed (TRELLIS_SEED): Name of the seed.'],
    [{ flags: { sede: 'x', seed: 'a' }, env: {} }, 'unknown setting --sede. Did you mean --seed?'],
    [
      { env: { TRELLIS_SEED: 'a', TRELLIS_LOG_LEVL: 'x' } },
      'unknown setting TRELLIS_LOG_LEVL. Did you mean TRELLIS_LOG_LEVEL?',
    ],
    [
      { env: { TRELLIS_SEED: 'a', TRELLIS_PRETEND: 'true' } },
      'unknown setting TRELLIS_PRETEND. Did you mean TRELLIS_DRY_RUN?',
    ],
    [
      { flags: { seed: 'a', port: 'x' }, env: {} },
      '--port="x": Invalid input: expected number, received NaN',
    ],
    [{ env: { TRELLIS_SEED: 'a', PORT: '70000' } }, 'PORT="70000": Too big: expected number to be <=65535'],
    [{ flags: { seed: 'a', token: 'short' }, env: {} }, '--token is not valid'],
    [
      { flags: { seed: 'a', token: 'long-enough', dryRun: true }, env: {} },
      '--dry-run and --token exclude each other',
    ],
  ])('refuses %j with a one-line error', (input, problem) => {
    expect(problemsOf(input)).toEqual([problem])
  })

  test('every invalid setting is named on its own line', () => {
    expect(() => parseSettings(schema, { flags: { port: '-1', nonsense: 1 }, env: {} })).toThrow(
      /^unknown setting --nonsense; missing setting --seed .*; --port="-1": [^\n]*$/,
    )
  })

  test('variables that Kubernetes creates from Services with the prefix are ignored', () => {
    const env = {
      TRELLIS_SEED: 'a',
      TRELLIS_BRIDGE_SERVICE_HOST: '10.0.0.1',
      TRELLIS_BRIDGE_SERVICE_PORT: '80',
      TRELLIS_BRIDGE_PORT: 'tcp://10.0.0.1:80',
      TRELLIS_BRIDGE_PORT_80_TCP_ADDR: '10.0.0.1',
    }
    expect(problemsOf({ env })).toEqual([])
  })
})

describe('describeSettings', () => {
  test('flag, environment name, default and description of each field are listed', () => {
    expect(describeSettings(schema).map(row => [row.flag, row.env, row.default, row.required])).toEqual([
      ['--seed', 'TRELLIS_SEED', undefined, true],
      ['--port', 'TRELLIS_PORT, PORT', '8080', false],
      ['--dry-run', 'TRELLIS_DRY_RUN', 'false', false],
      ['--kinds', 'TRELLIS_KINDS', '', false],
      ['--token', 'TRELLIS_TOKEN', undefined, false],
      ['--log-level', 'TRELLIS_LOG_LEVEL', 'info', false],
    ])
  })

  test('a field without a description is refused', () => {
    expect(() => describeSettings(z.object({ bare: z.string() }))).toThrow(
      'the setting bare has no description',
    )
  })
})

test('secret settings are not printed', () => {
  const settings = parseSettings(schema, { flags: { seed: 'a', token: 'planted-secret' }, env: {} })
  const printed = JSON.stringify(printableSettings(schema, settings))
  expect(printed).toContain('"seed":"a"')
  expect(printed).not.toContain('planted-secret')
})
