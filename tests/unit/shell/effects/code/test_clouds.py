"""Libraries of clouds, clusters and engines, called from code on the command line."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import judge, shell_event

DANGEROUS = [
    "python -c \"import boto3; [i.terminate() for i in boto3.resource('ec2').instances.all()]\"",
    "python -c \"import boto3; boto3.client('ec2').stop_instances(InstanceIds=['i-1'])\"",
    "python -c \"import boto3; boto3.client('iam').attach_user_policy(UserName='a', PolicyArn='b')\"",
    "node -e \"const {S3Client,DeleteBucketCommand:D}=require('@aws-sdk/client-s3');"
    "new S3Client().send(new DeleteBucketCommand({Bucket:'b'}))\"",
    "python -c \"from google.cloud import storage; storage.Client().bucket('b').delete(force=True)\"",
    "python -c \"from azure.mgmt.resource import R; R(x).resource_groups.begin_delete('prod')\"",
    "python -c \"from kubernetes import client; client.CoreV1Api().delete_namespace('prod')\"",
    'python -c "import docker; [v.remove() for v in docker.from_env().volumes.list()]"',
    "python -c \"import docker; docker.from_env().containers.run('alpine', privileged=True)\"",
    'perl -MDBI -e \'DBI->connect("dbi:Pg:dbname=prod")->do("DROP TABLE users")\'',
    "curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/volumes/pgdata",
]
HARMLESS = [
    "python -c \"import boto3; print(boto3.client('s3').list_buckets())\"",
    "python -c \"import boto3; boto3.client('s3', endpoint_url='http://localhost:4566').delete_bucket(Bucket='b')\"",
    "python -c \"import boto3; boto3.client('sqs').delete_message(QueueUrl='q', ReceiptHandle='r')\"",
    'python -c "from kubernetes import client; print(client.CoreV1Api().list_namespace())"',
    'python -c "import docker; print(docker.from_env().containers.list(all=True))"',
    "python -c \"import psycopg2; print('DROP TABLE users')\"",
    "curl --unix-socket /var/run/docker.sock http://localhost/volumes",
    "aws --endpoint-url http://localhost:4566 s3 rb s3://test --force",
]


@pytest.mark.parametrize("command", DANGEROUS)
def test_what_a_library_loses_or_opens_is_seen(command: str) -> None:
    assert judge(shell_event(command)).decision >= Decision.ASK


@pytest.mark.parametrize("command", HARMLESS)
def test_what_a_library_reads_or_an_emulator_loses_is_harmless(command: str) -> None:
    assert judge(shell_event(command)).decision < Decision.ASK
