import { canonicalQuantity } from '../../../../../shared/contract/quantity.ts'

/** Returns true if a value is a valid Kubernetes quantity, such as `2`, `1500m` or `9Gi`. */
export const isQuantity = (value: string | number): boolean => {
  try {
    canonicalQuantity(value)
    return true
  } catch {
    return false
  }
}
