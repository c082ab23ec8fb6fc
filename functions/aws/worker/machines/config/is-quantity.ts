import { canonicalQuantity } from '../../../../../shared/contract/quantity.ts'

/** Whether a value can be read as a quantity of Kubernetes, such as `2`, `1500m` or `9Gi`. */
export const isQuantity = (value: string | number): boolean => {
  try {
    canonicalQuantity(value)
    return true
  } catch {
    return false
  }
}
