import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryRoot, trackedFiles } from './repository-files.ts'

/** Functions that an author could have written: what they need and the library does not export is missing there. */
const folders = ['functions/oidc', 'functions/calico/network']

const others = /from '((?:\.\.\/)+(?:bridge|build|cli|knative|sandbox|shared|terraform-free-infra)\/[^']+)'/g
const entry = /^(?:\.\.\/)+build\/library\/[a-z-]+\.ts$/

test.each(folders)('%s imports only the entries of the library', folder => {
  const sources = trackedFiles(`${folder}/*.ts`).filter(file => !/\.test\.ts$|\/testing\//.test(file))
  const imports = sources.flatMap(file =>
    [...readFileSync(`${repositoryRoot}${file}`, 'utf8').matchAll(others)].map(([, from = '']) => ({
      file,
      from,
    })),
  )
  expect(imports.length).toBeGreaterThan(20)
  expect(imports.filter(({ from }) => !entry.test(from))).toEqual([])
})
