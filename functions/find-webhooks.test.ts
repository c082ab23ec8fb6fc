import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { DefinitionError } from '../shared/runtime/runtime.ts'
import { findFunctions } from './find-functions.ts'
import { findWebhooks } from './find-webhooks.ts'
import { functionFolder, importLine, importZod } from './testing/function-folder.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})

const folderOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await functionFolder(files)
  undo.push(folder.remove)
  return folder.root
}

const webhook = (
  name: string,
  more = '',
) => `${importLine('{ defineWebhook }', 'shared/webhooks/admission/define-webhook.ts')}${importZod}
export const definition = defineWebhook({
  name: '${name}',
  component: 'provider-acme',
  action: 'mutate',
  target: 'seed',
  resources: [{ group: '', versions: ['v1'], plural: 'pods', kind: 'Pod' }],
  ${more}
  review: () => ({}),
})
`
const line = 4

const problemsIn = async (files: Readonly<Record<string, string>>) => {
  const root = await folderOf(files)
  const error: unknown = await findWebhooks(root).catch(thrown => thrown)
  expect(error).toBeInstanceOf(DefinitionError)
  return (error as DefinitionError).message.replaceAll(`${root}/`, '').split('\n')
}

describe('admission functions are found by their files', () => {
  test('in webhooks and admission of any provider, as source and as published', async () => {
    const root = await folderOf({
      'acme/webhooks/b/webhook.ts': webhook('b'),
      'acme/webhooks/a/webhook.js': webhook('a'),
      'acme/webhooks/shared/rules.ts': 'export const rules = []',
      'acme/webhooks/README.md': '# Webhooks',
      'acme/other/c/webhook.ts': webhook('c'),
    })
    expect((await findWebhooks(root)).map(({ name, file }) => [name, file])).toEqual([
      ['a', join(root, 'acme/webhooks/a/webhook.js')],
      ['b', join(root, 'acme/webhooks/b/webhook.ts')],
    ])
  })

  test('and are not functions', async () => {
    const root = await folderOf({
      'acme/webhooks/b/webhook.ts': webhook('b'),
      'acme/webhooks/a/webhook.ts': webhook('a'),
    })
    expect(await findFunctions(root)).toEqual([])
  })
})

describe('an unusable definition is reported with file and line', () => {
  test('a file without a definition', async () => {
    expect(await problemsIn({ 'acme/webhooks/a/webhook.ts': 'export const a = 1' })).toEqual([
      'acme/webhooks/a/webhook.ts:1: no export `definition`. Add: export const definition = defineWebhook({ … })',
    ])
  })

  test('a handwritten definition', async () => {
    expect(await problemsIn({ 'acme/webhooks/a/webhook.ts': 'export const definition = {}' })).toEqual([
      'acme/webhooks/a/webhook.ts:1: its `definition` is not the result of defineWebhook',
    ])
  })

  test('a mistake of the author', async () => {
    expect(await problemsIn({ 'acme/webhooks/a/webhook.ts': webhook('A') })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^acme/webhooks/a/webhook.ts:${line}: name: "A" is not valid: expected lower-case letters`,
        ),
      ),
    ])
  })

  test('two definitions with one path', async () => {
    expect(
      await problemsIn({
        'acme/webhooks/a/webhook.ts': webhook('same'),
        'acme/webhooks/b/webhook.ts': webhook('same'),
      }),
    ).toEqual([
      `acme/webhooks/b/webhook.ts:${line}: the path /acme/same is already used by acme/webhooks/a/webhook.ts:${line}. Choose another name or component`,
    ])
  })

  test('two settings with one name', async () => {
    const settings = 'settings: z.object({ colour: z.string() }),'
    expect(
      await problemsIn({
        'acme/webhooks/a/webhook.ts': webhook('a', settings),
        'acme/webhooks/b/webhook.ts': webhook('b', settings),
      }),
    ).toEqual([
      `acme/webhooks/b/webhook.ts:${line}: settings.colour: acme/webhooks/a/webhook.ts:${line} already has a setting with this name. Choose another name`,
    ])
  })
})

test('two settings with one name and one description mean the same', async () => {
  const settings = "settings: z.object({ colour: z.string().meta({ description: 'The colour.' }) }),"
  const root = await folderOf({
    'acme/webhooks/a/webhook.ts': webhook('a', settings),
    'acme/webhooks/b/webhook.ts': webhook('b', settings),
  })
  expect(await findWebhooks(root)).toHaveLength(2)
})
