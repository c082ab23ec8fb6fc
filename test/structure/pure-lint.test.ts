import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const decide = 'shared/lifecycle/decide'

/** One per line, so that a finding is identified by its line. */
const impure = [
  "import { runStep } from '../step/run-step.ts'",
  "import { act } from '../lifecycle.ts'",
  "import { createKubernetes } from '../../kubernetes/kubernetes.ts'",
  "import { systemClock } from '../../clock/clock.ts'",
  "import { createLog } from '../../log/log.ts'",
  "import { createSend } from '../../events/events.ts'",
  "import { readFileSync } from 'node:fs'",
  'export const home = process.env.HOME',
  'export const home2 = globalThis.process.env.HOME',
  'export const now = new Date()',
  'export const chance = Math.random()',
  'export const id = crypto.randomUUID()',
  'export const say = (): void => console.log(1)',
  'export const later = (): void => queueMicrotask(() => {})',
  'export const wait = async (slow: () => PromiseLike<number>) => await slow()',
  'export const chain = (slow: Promise<number>) => slow.then(value => value)',
]

const pure = [
  "import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'",
  "import { formatMilliseconds } from '../../clock/clock.ts'",
  "import { eventId } from '../../events/events.ts'",
]

interface Diagnostic {
  readonly category: string
  readonly location: { readonly start: { readonly line: number } }
}

/** Returns the lines of a file of that folder that violate its rules. */
const foundIn = async (lines: readonly string[]): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-lint-'))
  try {
    await mkdir(join(folder, decide), { recursive: true })
    await cp(join(root, decide, 'pure.grit'), join(folder, decide, 'pure.grit'))
    const { $schema: _, vcs: __, ...config } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
    await writeFile(join(folder, 'biome.json'), JSON.stringify(config))
    await writeFile(join(folder, decide, 'probe.ts'), `${lines.join('\n')}\n`)
    const args = ['lint', '--max-diagnostics=none', '--reporter=json']
    const said = await new Promise<string>(resolve => {
      const biome = join(root, 'node_modules/.bin/biome')
      execFile(biome, [...args, `${decide}/probe.ts`], { cwd: folder }, (_error, stdout) => resolve(stdout))
    })
    const { diagnostics } = JSON.parse(said) as { readonly diagnostics: readonly Diagnostic[] }
    const ofRoom = diagnostics.filter(({ category }) => /^plugin$|\/noRestricted/.test(category))
    const numbers = new Set(ofRoom.map(({ location }) => location.start.line - 1))
    return lines.filter((_line, index) => numbers.has(index))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('deciding code does not wait, read a clock, or make a call', async () => {
  expect(await foundIn(impure)).toEqual(impure)
  expect(await foundIn(pure)).toEqual([])
})
