import { createServices } from './simulator/aws.ts'

const operations = (): string =>
  createServices()
    .map(({ model, handlers }) => {
      const built = Object.keys(handlers).length
      return `| \`${model.name}\` | ${model.protocol}, ${model.version} | ${built} of ${model.operations.size} |`
    })
    .join('\n')

/** Returns the generated part of the page about the AWS simulator. */
export const coverage = (): string => `| service | protocol | operations |
|---|---|---|
${operations()}

\`--throttle\` has AWS's request rates per account and region (\`accountRates\`). \`--quotas\` has those of EC2 for a new account (\`ec2: { limits: newAccountLimits }\`).`
