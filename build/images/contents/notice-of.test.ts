import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noticeOf } from './notice-of.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-notice-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const install = async (license: string, files: Readonly<Record<string, string>>): Promise<void> => {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'part', version: '1.2.3', license }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

test('a notice has the name, the version and the full license text', async () => {
  await install('ISC', { 'LICENSE.md': 'ISC License\n\nCopyright somebody\n' })
  expect(await noticeOf(folder)).toBe('## part 1.2.3 (ISC)\n\n    ISC License\n\n    Copyright somebody\n')
})

test('a package with its copyright only in the README gets the license text with it', async () => {
  await install('MIT', { 'README.md': '# part\n\n## License\n\nCopyright 2014 Somebody.\n' })
  const notice = await noticeOf(folder)
  expect(notice).toContain('    Copyright 2014 Somebody.\n\n    Permission is hereby granted')
})

test('a package with the Apache license but without its text gets the text', async () => {
  await install('Apache-2.0', {})
  expect(await noticeOf(folder)).toMatch(/^ {4}Apache License\n/m)
})

test('a NOTICE file is included', async () => {
  await install('Apache-2.0', { LICENSE: 'Apache', NOTICE: 'By somebody.' })
  expect(await noticeOf(folder)).toBe('## part 1.2.3 (Apache-2.0)\n\n    Apache\n\n    By somebody.\n')
})

test.each([
  ['a licence that does not allow it', 'GPL-3.0-only', { LICENSE: 'GNU' }, 'its licence is GPL-3.0-only'],
  ['a package without a licence text', 'MIT', {}, 'it has no licence text'],
])('%s stops the copy', async (_, license, files, why) => {
  await install(license, files)
  await expect(noticeOf(folder)).rejects.toThrow(`cannot copy part 1.2.3: ${why}`)
})

test.each([
  ['UNLICENSED', {}],
  ['GPL-3.0-only', { LICENSE: 'GNU' }],
])('a project may contain a package with the licence %s', async (license, files) => {
  await install(license, files)
  const [text = 'The package contains no licence text.'] = Object.values(files)
  expect(await noticeOf(folder, 'any')).toBe(`## part 1.2.3 (${license})\n\n    ${text}\n`)
})
