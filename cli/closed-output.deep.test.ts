import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { compileCache } from '../sandbox/seed/seed.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-output-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Run {
  readonly args: readonly string[]
  /** The output that is read before the reader closes the pipe. Default: nothing. */
  readonly until?: RegExp
  /** Makes a waiting command write again: only a write shows it that its reader has gone. */
  readonly stir?: (printed: string) => Promise<unknown>
}

/** Returns the address of AWS once it has been printed. */
const aws = /(?:AWS|Endpoint) +(http:\S+) /
const awsOf = (printed: string) => aws.exec(printed)?.[1]

/** Runs a command with a reader that closes the pipe: at once, or after `until`. */
const cutShort = async ({ args, until, stir }: Run) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    // All its temporary files are in one folder, except for the compile cache.
    env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: compileCache },
  })
  // Kills a command that continues nevertheless.
  onTestFinished(() => void child.kill('SIGKILL'))
  let problem = ''
  child.stderr.on('data', chunk => {
    problem += String(chunk)
  })
  const closed = once(child, 'close')
  let printed = ''
  while (until?.test(printed) === false) printed += String((await once(child.stdout, 'data'))[0])
  child.stdout.destroy()
  await stir?.(printed)
  const [code, signal] = await closed
  return { code, signal, problem }
}

const trellis = 'cli/trellis.mjs'
const callAws = (printed: string) =>
  fetch(`${awsOf(printed)}/`, {
    method: 'POST',
    body: 'Action=DescribeVpcs&Version=2016-11-15',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization:
        'AWS4-HMAC-SHA256 Credential=any/20260101/eu-west-1/ec2/aws4_request, SignedHeaders=host, Signature=0',
    },
  })
const bridgeFlags = ['--seed', 'a', '--sink', 'http://127.0.0.1:9', '--port', '0', '--log-level', 'debug']
const runs: readonly Run[] = [
  { args: [trellis, '--help'] },
  { args: [trellis, 'crds'] },
  { args: [trellis, 'plan', '--help'] },
  { args: [trellis, 'replay', '--follow', 'test/events/infrastructure-create.json'] },
  { args: [trellis, 'demo'] },
  { args: [trellis, 'aws', '--verbose'], until: aws, stir: callAws },
  { args: [trellis, 'dev', '--verbose'], until: aws, stir: callAws },
  { args: ['bridge/main.ts', '--help'] },
  // No server listens there, and each retry is a line of the log.
  ...[[trellis, 'bridge'], ['bridge/main.ts']].map(command => ({
    args: [...command, ...bridgeFlags, '--kubeconfig', 'cli/testing/nowhere.kubeconfig'],
    until: /bridge running/,
  })),
]

describe('a reader that closes the pipe early, as head does', () => {
  test.each(runs)('it ends $args quietly, with the code of SIGPIPE', async run => {
    expect(await cutShort(run)).toEqual({ code: 141, signal: null, problem: '' })
  })

  test('it lets a command delete its temporary files', async () => {
    const kubeconfig = join(folder, 'kubeconfig')
    await cutShort({
      args: [trellis, 'dev', '--verbose', '--kubeconfig', kubeconfig],
      until: aws,
      stir: callAws,
    })
    expect(existsSync(kubeconfig)).toBe(false)
  })
})
