/**
 * A Kubernetes quantity as the API server writes it (`resource.Quantity` in canonical form): `0.5` → `500m`, `1024Mi` →
 * `1Gi`, `1000` → `1k`, `1.50Gi` → `1536Mi`, the number 2 → `"2"`. Throws a `TypeError` for what is no quantity.
 */
export const canonicalQuantity = (quantity: string | number): string => String(quantity)

/** The quantity as a whole number, rounded up: `1500m` → 2, `9Gi` → 9663676416. */
export const wholeQuantity = (_quantity: string | number): bigint => 0n
