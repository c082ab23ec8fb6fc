import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('starts with names alone that Node 20 has, since an old Node reads it to find a newer one', async () => {
  const source = await readFile(new URL('trellis.mjs', import.meta.url), 'utf8')
  const named = [...source.matchAll(/^import \{ ([^}]+) \} from '([^']+)'$/gm)]
  expect(named.map(([, names, from]) => `${from} ${names}`)).toEqual([
    'node:child_process spawn',
    'node:url fileURLToPath',
  ])
})
