import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outputOf } from '../../build/programs/programs.ts'
import { repositoryFiles } from '../../cli/new/repository-files.ts'
import { repositoryRoot, trackedFiles } from '../structure/repository-files.ts'
import { describeWith } from './with-part.ts'

describeWith('actionlint', 'the workflows, according to actionlint', ({ actionlint }) => {
  const workflows = trackedFiles('.github/workflows/*.yaml').map(file => join(repositoryRoot, file))
  // Results must not depend on other programs of this machine.
  const lint = (...files: readonly string[]) =>
    outputOf(actionlint, ['-shellcheck=', '-pyflakes=', ...files], { cwd: repositoryRoot })

  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-workflows-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('have no finding', async () => {
    expect(workflows).toHaveLength(4)
    expect(await lint(...workflows)).toBe('')
  })

  test('of a new project of an author have no finding', async () => {
    const file = join(folder, 'ci.yaml')
    await writeFile(file, repositoryFiles()['.github/workflows/ci.yaml'] ?? '')
    expect(await lint(file)).toBe('')
  })

  test.each([
    ['an unknown permission', 'id-token: write', 'id-tokens: write', 'id-tokens'],
    ['an unknown job', 'needs: [tests, images]', 'needs: [tests, pictures]', 'pictures'],
    ['an unknown field of an expression', 'matrix.runner', 'matrix.runners', 'runners'],
  ])('with %s are refused', async (_, found, instead, finding) => {
    const text = await readFile(join(repositoryRoot, '.github/workflows/release.yaml'), 'utf8')
    const file = join(folder, 'broken.yaml')
    await writeFile(file, text.replace(found, instead))
    await expect(lint(file)).rejects.toThrow(finding)
  })
})
