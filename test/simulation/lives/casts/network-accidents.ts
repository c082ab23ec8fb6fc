import type { Part } from '../cast.ts'
import type { Home } from '../homes.ts'

/** What people and controllers do beside a network. */
export const accidentsOf = (_: Home): Part['accidents'] => []
