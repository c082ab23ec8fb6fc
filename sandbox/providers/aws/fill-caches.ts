import { clientPackages, type StoredService, schemasText } from './simulator/schemas/stored-schemas.ts'

/** Extracts the schemas of the simulator if their cache is missing. */
export const fillCaches = (): void => {
  for (const service of Object.keys(clientPackages) as StoredService[]) schemasText(service)
}
