/** The name of the EBS driver in classes and sockets. */
export const ebsDriver = 'ebs.csi.aws.com'
