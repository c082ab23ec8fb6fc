import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { attemptMs } from '../../shared/runtime/start/patient-connections.ts'

/** Programs that read their arguments and connect to nothing, or leave the connections to a program that they start. */
const withoutConnections: Readonly<Record<string, string>> = {
  'build/images/bundle/bundle.ts': 'is the text of a bundle that starts one of these programs',
  'build/release/prepare.ts': 'writes files',
  'cli/author/describe-function.ts': 'loads a file',
  'cli/how-to-call.ts': 'is a part of the command line',
  'cli/plan/process/main.ts': 'starts serve-plans.ts',
  'cli/replay/process/main.ts': 'starts serve-replay.ts',
  'cli/trellis.mjs': 'starts main.ts',
  'functions/main.ts': 'starts boot-function.ts',
  'sandbox/providers/aws/simulator/schemas/print-schemas.ts': 'prints types',
}

const sources = globSync('{bridge,build,cli,functions,knative,sandbox,shared,docs}/**/*.{ts,mjs}', {
  exclude: file => /node_modules|dist|testing|templates|\.test\.ts$|\.d\.mts$/.test(file),
}).toSorted()

test('every program lets each address of a name have time to answer', () => {
  const programs = sources.filter(file => {
    const source = readFileSync(file, 'utf8')
    return /process\.argv\b|^export const (?:boot|serve(?:Plans|Replay))\w* = |^const registerOfProgram/m.test(
      source,
    )
  })
  const hasty = programs.filter(
    file => !/(?:prepareProcess|patientConnections)\(/.test(readFileSync(file, 'utf8')),
  )
  expect(programs.length).toBeGreaterThan(hasty.length)
  expect(hasty).toEqual(Object.keys(withoutConnections))
})

const report = `data:text/javascript,import net from 'node:net'; process.on('exit', () => process.stderr.write('attempt=' + net.getDefaultAutoSelectFamilyAttemptTimeout()))`

test.each([
  ['the bridge', ['bridge/main.ts', '--help']],
  ['the webhooks', ['functions/webhooks-main.ts', '--help']],
  ['a function', ['functions/main.ts', 'functions/aws/dnsrecord/function.ts']],
  ['the command line', ['cli/trellis.mjs', '--version']],
  ['a release', ['build/release/main.ts', '--help']],
  ['a plan', ['cli/plan/process/main.ts', '{"folders":[],"network":"all"}']],
])('%s is patient with each address', async (_, args) => {
  const env = { PATH: process.env.PATH, KUBECONFIG: '/nowhere' }
  const child = spawn(process.execPath, ['--import', report, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (args[0]?.includes('plan')) child.once('message', () => child.disconnect())
  expect(
    await text(
      child.stderr ??
        (() => {
          throw new TypeError('no stderr')
        })(),
    ),
  ).toContain(`attempt=${attemptMs}`)
})
