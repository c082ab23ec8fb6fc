import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSteppedSeed, readExample } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { definition } from './function.ts'

const { object, beside } = await readExample(new URL('example.yaml', import.meta.url))
const followed = (status: unknown) =>
  Object(status).conditions?.find(({ type }: { readonly type: string }) => type === 'Followed')

test('the object gets the condition, and keeps the status of its primary controller', async () => {
  const seed = createSteppedSeed({ definition, objects: beside })
  const { status } = await seed.apply(object)
  assert.equal(followed(status).message, 'the spec of generation 1 is followed')
  assert.equal(Object(status).lastOperation.state, 'Succeeded')
  seed.close()
})

test('an object without a change costs no step', async () => {
  const seed = createSteppedSeed({ definition, objects: beside })
  const { name, namespace } = (await seed.apply(object)).metadata
  const one = namespace === undefined ? { name } : { name, namespace }
  assert.deepEqual(await seed.object(one).due(), { kind: 'none' })
  seed.close()
})

for (const write of [1, 2])
  test(`a crash at write ${write} is made good by the next step`, async () => {
    const seed = createSteppedSeed({ definition, objects: beside })
    seed.dieAt(write, 'after')
    assert.equal(followed((await seed.apply(object)).status).status, 'True')
    seed.close()
  })
