/**
 * Validation of an InfrastructureConfig, for the Infrastructure before it acts, and for admission before the config is
 * stored. Pure; loads no code that connects to OpenStack.
 */
export { configSchema, type InfrastructureConfig, readConfig, workersOf } from './config/config.ts'
export { configProblems, isDualStack, type ShootFamilies } from './config/config-problems.ts'
