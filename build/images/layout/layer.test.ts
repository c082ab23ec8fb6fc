import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract, type Header } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeLayer } from './layer.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-layer-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = (name: string, names: readonly string[], mode: number): string => {
  const from = join(folder, name)
  mkdirSync(join(from, 'inner'), { recursive: true })
  for (const file of names) {
    writeFileSync(join(from, file), `text of ${file}`)
    chmodSync(join(from, file), mode)
    utimesSync(join(from, file), 1, mode)
  }
  symlinkSync('a', join(from, 'link'))
  return from
}

const headers = async (tar: string): Promise<readonly Header[]> => {
  const found: Header[] = []
  const entries = extract()
  entries.end(readFileSync(tar))
  for await (const entry of entries) {
    found.push(entry.header)
    entry.resume()
  }
  return found
}

test('a layer is the same for any place, order, owner, mode and time of its files', async () => {
  await writeLayer({
    from: files('one', ['b', 'a', 'inner/c'], 0o600),
    at: 'x/y',
    out: join(folder, '1.tar'),
  })
  await writeLayer({
    from: files('other', ['inner/c', 'a', 'b'], 0o666),
    at: 'x/y',
    out: join(folder, '2.tar'),
  })
  expect(readFileSync(join(folder, '1.tar')).equals(readFileSync(join(folder, '2.tar')))).toBe(true)
})

test('its files are readable by all and writable by none, programs are executable, folders and links are retained', async () => {
  await writeLayer({ from: files('one', ['a'], 0o700), at: 'x/y', out: join(folder, '1.tar') })
  const found = await headers(join(folder, '1.tar'))
  expect(found.map(({ name, mode, uid, type }) => [name, mode.toString(8), uid, type])).toEqual([
    ['x/', '755', 0, 'directory'],
    ['x/y/', '755', 0, 'directory'],
    ['x/y/a', '555', 0, 'file'],
    ['x/y/inner/', '755', 0, 'directory'],
    ['x/y/link', '777', 0, 'symlink'],
  ])
})
