import { expect, test } from 'vitest'
import { correspondences } from './correspondence.ts'
import { declaredTexts } from './declared.ts'

test('every text of shared/contract has an entry, and every entry a text', async () => {
  expect(Object.keys(correspondences).toSorted()).toEqual([...(await declaredTexts()).keys()].toSorted())
})
