/** The choices of an operator, for helps: this file loads nothing. */

/** The brokers with manifests. */
export const profileNames = ['in-memory', 'kafka', 'rabbitmq', 'nats'] as const

/** `seed-process`: one Deployment without Knative starts the functions beside the bridge (docs/seed-process.md). */
export const deploymentModes = ['knative', 'seed-process'] as const

/** When Gardener installs an extension into a seed (docs/contract/registration.md#deployment). */
export const deploymentPolicies = ['OnDemand', 'Always', 'AlwaysExceptNoShoots'] as const

/** The Pod Security Standards of a namespace. */
export const podSecurities = ['restricted', 'baseline', 'privileged'] as const
