/**
 * Validation of an InfrastructureConfig, for the Infrastructure before it acts, and for admission before the config is
 * stored. Pure; loads no code that connects to AWS.
 */
export type { ConfigZone, InfrastructureConfig } from './config/config.ts'
export { configSchema, decodeConfig } from './config/config.ts'
export { disruptiveChanges } from './config/disruptive-changes.ts'
export { cidrProblems, type ShootFields, type ShootNetworking } from './config/problems/cidr-problems.ts'
export { cloudProfileProblems } from './config/problems/cloud-profile-problems.ts'
export { configProblems } from './config/problems/config-problems.ts'
export { repeated } from './config/problems/repeated.ts'
export { updateProblems } from './config/problems/update-problems.ts'
export { desiredInfrastructure, offeredZones } from './desired-infrastructure.ts'
