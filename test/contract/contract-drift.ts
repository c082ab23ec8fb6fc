import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { compareConstants } from './compare-constants.ts'
import { compareDefinitions } from './compare-definitions.ts'
import { compareWords } from './compare-words.ts'
import { correspondences } from './correspondence.ts'
import { declaredTexts } from './declared.ts'
import { gardenersDefinitions } from './definitions.ts'
import type { Drift } from './drift.ts'
import { goConstants } from './go-constants.ts'
import type { ContractModules } from './modules.ts'
import { otherWords } from './other-words.ts'
import { productTexts } from './texts.ts'

/** Returns all differences between Trellis and Gardener's modules. */
export const contractDrift = async (modules: ContractModules): Promise<readonly Drift[]> => {
  const constants = await goConstants(modules.all)
  return [
    ...compareDefinitions(
      [...allCrds(), ...machineCrds(), ...resourceCrds()],
      await gardenersDefinitions(modules),
    ),
    ...compareConstants(await declaredTexts(), correspondences, constants),
    ...compareWords(await productTexts(), constants, otherWords),
  ]
}
