import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runFirstFunction } from '../../test/real/first-function.ts'
import { outputOf } from '../../test/real/programs/command.ts'
import { type Benchmark, below } from '../figure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** From an empty folder to the first `Succeeded` of a function of one's own. The library is packed before; npm has its cache. */
export const firstFunctionFigure: Benchmark = {
  name: 'author',
  run: async () => {
    const parent = await mkdtemp(join(tmpdir(), 'trellis-bench-author-'))
    try {
      await outputOf('npm', ['pack', '--pack-destination', parent], { cwd: root })
      const tarball = (await readdir(parent)).find(name => name.endsWith('.tgz')) ?? ''
      const { installSeconds, newSeconds, devSeconds } = await runFirstFunction(parent, join(parent, tarball))
      return [
        { name: 'author: trellis new local/dnsrecord', value: newSeconds, unit: 's' },
        { name: 'author: trellis dev → first Succeeded', value: devSeconds, unit: 's' },
        {
          name: 'author: three commands, from an empty folder to Succeeded',
          value: installSeconds + newSeconds + devSeconds,
          unit: 's',
          target: below(20),
          with: `npm install of the packed library ${installSeconds.toFixed(1)} s of it, packages in npm's cache`,
        },
      ]
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  },
}
