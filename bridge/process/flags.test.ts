import { expect, test } from 'vitest'
import { parseFlags as parseFlagsOf } from '../../shared/runtime/runtime.ts'
import { bridgeHelp } from './help.ts'
import { bridgeSettings } from './settings.ts'

const parseFlags = (args: readonly string[]) => parseFlagsOf(bridgeSettings, args)

test.each<[string[], object]>([
  [['--seed', 'a', '--kinds=DNSRecord'], { seed: 'a', kinds: 'DNSRecord' }],
  [['--leader-election', '--seed', 'a'], { 'leader-election': 'true', seed: 'a' }],
  [['--leader-election', 'false'], { 'leader-election': 'false' }],
])('%j gives %j', (args, flags) => {
  expect(parseFlags(args)).toEqual({ help: false, flags })
})

test.each([['--sed'], ['stray'], ['--seed']])('%s alone is refused', flag => {
  expect(() => parseFlags([flag])).toThrow(TypeError)
})

test('--help names every setting with its environment name and default', () => {
  expect(parseFlags(['-h']).help).toBe(true)
  const help = bridgeHelp()
  expect(help).toMatch(/^ {2}--sink +URL that receives the events.*\[TRELLIS_SINK, K_SINK\]$/m)
  expect(help).toMatch(/^ {2}--unclaimed-ms +Time after which.*\[TRELLIS_UNCLAIMED_MS, default: 90000\]$/m)
  expect(help).toContain('trellis bridge --kubeconfig')
})
