import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedText } from './compare-words.ts'

const root = join(import.meta.dirname, '..', '..')
const folders = [
  ...['shared', 'functions', 'bridge', 'cli', 'terraform-free-infra', 'sandbox', 'knative'],
  'docs/contract',
]

/** Returns the sources of the product, without tests, and the pages of the contract. */
export const productTexts = async (): Promise<readonly NamedText[]> => {
  const lists = await Promise.all(
    folders.map(async folder =>
      (await readdir(join(root, folder), { recursive: true })).map(path => join(folder, path)),
    ),
  )
  const paths = lists
    .flat()
    .filter(path => /\.(ts|md)$/.test(path) && !/\.test\.ts$|\/testing\/|\/node_modules\//.test(path))
  return Promise.all(
    paths.toSorted().map(async path => ({ path, text: await readFile(join(root, path), 'utf8') })),
  )
}
