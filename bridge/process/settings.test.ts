import { describe, expect, test } from 'vitest'
import { kindNames } from '../../shared/contract/kinds.ts'
import { describeSettings, parseSettings } from '../../shared/runtime/runtime.ts'
import { bridgeSettings, roundMsOf, selectingSettings, selectionOf } from './settings.ts'

const sink = 'http://broker/ns/default'
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const parse = (flags: Record<string, unknown>, env: Record<string, string> = {}) =>
  parseSettings(bridgeSettings, { flags, env })

describe('the settings of the bridge', () => {
  test('they require a seed and a sink, and have defaults for the rest', () => {
    const settings = parse({ seed: 'eu-1' }, { K_SINK: sink })
    expect(settings.seed).toBe('eu-1')
    expect(selectionOf(settings)).toEqual({
      kinds: kindNames,
      classes: ['shoot'],
      namespaces: [],
    })
    expect(settings).toMatchObject({ sink, unclaimedMs: 90_000, port: 8080 })
  })

  test.each([
    ['90s', 90_000],
    ['20m', 1_200_000],
    ['24h', 86_400_000],
  ])('the interval of rounds of health checks has a unit: %s', (healthRound, ms) => {
    expect(roundMsOf(parse({ seed: 'a', sink, healthRound }))).toBe(ms)
  })

  test.each(['20', '59s', '25h', '-1m', '1.5h', '20 m', '1200000ms'])(
    'an interval of rounds of %s is refused',
    healthRound => {
      expect(() => parse({ seed: 'a', sink, healthRound })).toThrow(/--health-round.*expected/)
    },
  )

  test('they read the environment that Knative’s SinkBinding sets', () => {
    const settings = parse(
      { seed: 'a' },
      { K_SINK: sink, K_CA_CERTS: pem, K_CE_OVERRIDES: '{"extensions":{"team":"a"}}' },
    )
    expect(settings).toMatchObject({ sink, sinkCaCerts: pem, ceOverrides: { team: 'a' } })
    expect(parse({ seed: 'a' }, { K_SINK: sink, K_CE_OVERRIDES: '' }).ceOverrides).toEqual({})
  })

  test('they read lists from flags and from the environment', () => {
    const env = { TRELLIS_NAMESPACES: 'a, b' }
    const settings = parse({ seed: 'a', sink, kinds: 'DNSRecord, Bastion' }, env)
    expect(settings.kinds).toEqual(['DNSRecord', 'Bastion'])
    expect(settings.namespaces).toEqual(['a', 'b'])
  })

  test('only objects that a function serves are watched', () => {
    const env = { TRELLIS_SERVED: 'DNSRecord/aws-route53/shoot+seed, Infrastructure/aws,Infrastructure/foo' }
    expect(selectionOf(parse({ seed: 'a', sink }, env))).toMatchObject({
      kinds: ['DNSRecord', 'Infrastructure'],
      classes: ['shoot', 'seed'],
      served: [
        { kind: 'DNSRecord', type: 'aws-route53', classes: ['shoot', 'seed'] },
        { kind: 'Infrastructure', type: 'aws', classes: ['shoot'] },
        { kind: 'Infrastructure', type: 'foo', classes: ['shoot'] },
      ],
    })
  })

  test('functions without health checks are marked', () => {
    const env = { TRELLIS_SERVED: 'Worker/acme/shoot/unchecked' }
    const served = [{ kind: 'Worker', type: 'acme', classes: ['shoot'], unchecked: true }]
    expect(selectionOf(parse({ seed: 'a', sink }, env))).toMatchObject({ served })
    expect(() => parse({ seed: 'a', sink, served: 'Worker/acme/shoot/checked' })).toThrow(/unchecked, found/)
  })

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'no sink, and say who brings it',
      { seed: 'a' },
      /missing setting --sink \(TRELLIS_SINK\) or --programs \(TRELLIS_PROGRAMS\).*the SinkBinding of the bridge.*its Broker is ready.*kubectl get sinkbindings,brokers/,
    ],
    [
      'a sink that is no URL',
      { seed: 'a', sink: 'broker' },
      /--sink="broker": expected an http or https URL/,
    ],
    ['no seed', { sink }, /missing setting --seed \(TRELLIS_SEED\)/],
    ['a setting of an earlier version', { sink, seed: 'a', mode: 'structured' }, /unknown setting --mode/],
    ['a kind that there is not', { sink, seed: 'a', kinds: 'DnsRecord' }, /--kinds="DnsRecord"/],
    [
      'a function for a kind that there is not',
      { sink, seed: 'a', served: 'DnsRecord/aws' },
      /--served=.*DnsRecord/,
    ],
    ['a function without a type', { sink, seed: 'a', served: 'DNSRecord' }, /expected Kind\/type/],
    [
      'a function for a class that there is not',
      { sink, seed: 'a', served: 'DNSRecord/a/shoots' },
      /expected Kind\/type/,
    ],
    [
      'an election that is neither on nor off',
      { sink, seed: 'a', leaderElection: 'maybe' },
      /--leader-election/,
    ],
    [
      'overrides that are not JSON',
      { sink, seed: 'a', ceOverrides: '{' },
      /--ce-overrides="\{": expected JSON/,
    ],
    [
      'overrides of an attribute that the events have',
      { sink, seed: 'a', ceOverrides: '{"extensions":{"kind":"x"}}' },
      /already have an attribute kind$/,
    ],
    [
      'a certificate that is none',
      { sink, seed: 'a', sinkCaCerts: 'x' },
      /--sink-ca-certs="x": expected certificates in PEM/,
    ],
    ['an empty list of kinds', { sink, seed: 'a', kinds: ',' }, /--kinds/],
    [
      'a setting that there is not',
      { sink, seed: 'a', kind: 'x' },
      /unknown setting --kind\. Did you mean --kinds/,
    ],
  ])('they refuse %s in one clear line', (_, flags, message) => {
    expect(() => parse(flags)).toThrow(message)
  })

  test('for the former name of the address they suggest the new one', () => {
    const env = { TRELLIS_HOST: '127.0.0.1' }
    expect(() => parse({ sink, seed: 'a' }, env)).toThrow(
      'unknown setting TRELLIS_HOST. Did you mean TRELLIS_ADDRESS?',
    )
  })

  test('they select objects without a sink and a seed', () => {
    const settings = parseSettings(selectingSettings, { flags: {}, env: { TRELLIS_KINDS: 'Worker' } })
    expect(selectionOf(settings).kinds).toEqual(['Worker'])
  })

  test('every setting has a description', () => {
    for (const { flag, env, description } of describeSettings(bridgeSettings)) {
      expect(`${flag} ${env} ${description}`).toMatch(/^--[a-z-]+ TRELLIS_[A-Z_]+.* [A-Z/].*\.$/)
    }
  })
})
