import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../../build/programs/programs.ts'
import { runFirstFunction } from '../../real/first-function.ts'
import { type Benchmark, below } from '../figure.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Measures the time from `trellis new` to the first `Succeeded` of an author's own function, in a folder that has the
 * packed library.
 */
export const firstFunctionFigure: Benchmark = {
  name: 'author',
  run: async () => {
    const parent = await mkdtemp(join(tmpdir(), 'trellis-bench-author-'))
    try {
      await outputOf('npm', ['pack', '--pack-destination', parent], { cwd: root })
      const tarball = (await readdir(parent)).find(name => name.endsWith('.tgz')) ?? ''
      const { librarySeconds, newSeconds, installSeconds, devSeconds } = await runFirstFunction(
        parent,
        join(parent, tarball),
      )
      const parts = [newSeconds, installSeconds, devSeconds].map(seconds => seconds.toFixed(1))
      return [
        {
          name: 'author: trellis new local/dnsrecord → first Succeeded, three commands',
          value: newSeconds + installSeconds + devSeconds,
          unit: 's',
          target: below(20),
          with: `trellis new, npm install, trellis dev: ${parts.join(' + ')} s`,
        },
        {
          name: 'author: npm install of the library before that',
          value: librarySeconds,
          unit: 's',
          with: "the packed file; its dependencies in npm's cache",
        },
      ]
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  },
}
