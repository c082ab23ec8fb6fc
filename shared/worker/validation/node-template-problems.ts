import { canonicalQuantity, wholeQuantity } from '../../contract/quantity.ts'
import { type Problem, problemsInEach, shown } from '../../decode/problems.ts'

/** Valid quantities by resource. */
type TemplateAmounts = Readonly<Record<string, string | number>>

interface NodeTemplateQuantities {
  readonly capacity?: TemplateAmounts | undefined
  readonly virtualCapacity?: TemplateAmounts | undefined
}

/**
 * Returns the problems of the `nodeTemplate` of a provider's WorkerConfig: no amount is negative, and virtual ones are
 * whole numbers.
 */
export const nodeTemplateProblems = (
  path: string,
  nodeTemplate: NodeTemplateQuantities | undefined,
): readonly Problem[] => [
  ...quantityProblems(`${path}.capacity`, nodeTemplate?.capacity, { whole: false }),
  ...quantityProblems(`${path}.virtualCapacity`, nodeTemplate?.virtualCapacity, { whole: true }),
]

const quantityProblems = (
  path: string,
  quantities: TemplateAmounts | undefined,
  { whole }: { readonly whole: boolean },
): readonly Problem[] =>
  problemsInEach(Object.entries(quantities ?? {}), ([name, value]) => {
    const least = whole ? 'a whole number of at least 0' : 'at least 0'
    const isRight = !isNegative(value) && (!whole || isWhole(value))
    return isRight
      ? []
      : [{ path: `${path}[${JSON.stringify(name)}]`, message: `expected ${least}, found ${shown(value)}` }]
  })

const isNegative = (value: string | number): boolean => wholeQuantity(value) < 0n

/** In canonical form, a fraction is written in thousandths or smaller units. */
const isWhole = (value: string | number): boolean => !/[mun]$|e-/.test(canonicalQuantity(value))
