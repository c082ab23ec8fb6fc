import { expect, test } from 'vitest'
import { lintOf } from './lint-of.ts'

/** A function with a body of this many lines. The linter counts no closing braces, and a long comment as one line. */
const functionOf = (lines: number): string =>
  [
    'export const sum = (): number => {',
    '  let sum = 0',
    ...Array.from({ length: lines - 2 }, (_, index) => `  sum += ${index}`),
    '  return sum',
    '}\n',
  ].join('\n')

const product = ['bridge', 'build', 'cli', 'functions', 'knative', 'shared', 'terraform-free-infra']

test('the linter refuses a function of the product with more than 150 lines, and no other', async () => {
  const files = {
    ...Object.fromEntries(product.map(folder => [`${folder}/room/long.ts`, functionOf(151)])),
    ...Object.fromEntries(product.map(folder => [`${folder}/room/short.ts`, functionOf(150)])),
    'shared/room/long.test.ts': functionOf(151),
    'shared/room/testing/long.ts': functionOf(151),
    'sandbox/room/long.ts': functionOf(151),
  }
  const found = (await lintOf(files)).filter(({ category }) => /noExcessiveLinesPerFunction/.test(category))
  expect(found.map(({ location }) => location.path).toSorted()).toEqual(
    product.map(folder => `${folder}/room/long.ts`),
  )
})
