import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { repository } from '../versions.ts'

/** A change of the sources that an upgrade brings. */
export interface SourceChange {
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
}

const folders = [
  ...['bridge', 'build', 'cli', 'functions', 'knative', 'sandbox', 'shared', 'terraform-free-infra'],
  ...['test/shoot', 'test/upgrades'],
]

/** Copies the sources of this version, with changes. Throws if the sources no longer have a text to replace. */
export const copySources = (changes: readonly SourceChange[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-changed-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    for (const name of folders)
      cpSync(join(repository, name), join(folder, name), {
        recursive: true,
        filter: path => !['node_modules', 'data'].includes(basename(path)),
      })
    for (const name of ['package.json', 'tsconfig.json', 'CHANGELOG.md'])
      cpSync(join(repository, name), join(folder, name))
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, find, replace } of changes) {
      const text = readFileSync(join(folder, file), 'utf8')
      if (text.split(find).length !== 2)
        throw new Error(
          `${file} has ${text.split(find).length - 1} times ${JSON.stringify(find)}, expected once`,
        )
      writeFileSync(
        join(folder, file),
        text.replace(find, () => replace),
      )
    }
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}
