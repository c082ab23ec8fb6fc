import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { kubectlFile, withKubectl } from '../e2e/kubectl.ts'
import { type ShellBlock, shellBlocks } from './shell-blocks.ts'

const root = new URL('../../', import.meta.url)

/** `make` runs this test itself, and the demo has its own test. */
const isForMake = ({ commands }: ShellBlock) =>
  commands.split('\n').every(line => line === '' || line.startsWith('make'))
/** aws-cli has its own suite, with the same simulator. */
const needsAws = ({ commands }: ShellBlock) => /\baws (?:ec2|route53) /.test(commands)

const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

/** A new user's terminal: bash with job control, which reads a paste line by line and ends at an error. */
const terminal = (commands: string) => {
  const child = spawn('bash', ['-e', '-m', '-o', 'pipefail'], {
    cwd: fileURLToPath(root),
    detached: true,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  })
  const screen = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      screen.text += String(chunk)
    })
  child.stdin.end(commands)
  return { child, screen, closed: once(child, 'close') as Promise<[number | null]> }
}

/** Closes a terminal with all its processes, which have their own process groups. */
const close = async ({
  child,
  closed,
}: {
  readonly child: ChildProcess
  readonly closed: Promise<unknown>
}) => {
  for (const group of await groupsBelow(child.pid ?? 0)) {
    try {
      process.kill(-group, 'SIGTERM')
    } catch {
      // It has already ended.
    }
  }
  await closed
}

const groupsBelow = async (session: number): Promise<readonly number[]> => {
  const ps = spawn('ps', ['-o', 'pgid=', '--sid', String(session)])
  let text = ''
  ps.stdout.on('data', chunk => {
    text += String(chunk)
  })
  await once(ps, 'close')
  return [...new Set(text.split('\n').map(Number))].filter(group => group > 0)
}

describe.skipIf(kubectlFile === undefined)(withKubectl, () => {
  test.each(['README.md', 'examples/infrastructure/README.md'])(
    'the blocks of %s can be pasted unchanged, one after the other',
    async page => {
      const blocks = (await shellBlocks(new URL(page, root))).filter(
        block => !isForMake(block) && !needsAws(block),
      )
      expect(blocks.length).toBeGreaterThan(2)
      const folder = await mkdtemp(join(tmpdir(), 'trellis-paste-'))
      const port = await freePort()
      // Replaces shared paths and ports of the document with unused ones.
      const ours = (text: string) =>
        text.replaceAll('/tmp/seed.kubeconfig', join(folder, 'seed')).replaceAll('4566', String(port))
      const first = blocks
        .filter(({ staysOpen }) => staysOpen)
        .map(({ commands }) => terminal(ours(commands)))
      try {
        for (const { commands } of blocks.filter(({ staysOpen }) => staysOpen))
          expect(commands.trim().split('\n')).toHaveLength(1)
        // Waits for the output of the first terminal, as a user does before the second.
        for (const { child, screen } of first)
          while (!screen.text.includes('What happens:')) {
            expect(child.exitCode, screen.text).toBe(null)
            await new Promise(resolve => setTimeout(resolve, 50))
          }
        const second = terminal(
          ours(
            blocks
              .filter(({ staysOpen }) => !staysOpen)
              .map(({ commands }) => commands)
              .join('\n'),
          ),
        )
        const [code] = await second.closed
        expect({ code, screen: second.screen.text }).toMatchObject({ code: 0 })
      } finally {
        for (const open of first) await close(open)
        await rm(folder, { recursive: true, force: true })
      }
    },
    120_000,
  )
})
