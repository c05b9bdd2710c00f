"""Subcommands that lose a database: migration tools of every framework, brokers, backups."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.subcommand_tables import Danger

GOOSE = (Danger("** reset|down-to", "reset"),)
TASKS: Mapping[str, tuple[Danger, ...]] = MappingProxyType(
    {
        "mysqladmin": (Danger("** drop|flush-*|shutdown", "drop"),),
        "rails": (
            Danger("db:migrate version=0", "reset"),
            Danger("runner|r *delete_all*|*destroy_all*|*drop_table*|*truncate*", "reset"),
            Danger(
                "db:drop*|db:reset*|db:purge*|db:truncate_all|db:migrate:reset|db:schema:load|db:seed:replant",
                "reset",
            ),
        ),
        "rake": (
            Danger("", "listed", needs=("-T", "-P", "-W", "-D")),
            Danger("** release|release?*|gem:push|gem:release", "publish", action=Action.PUBLISH_PACKAGE),
            Danger("db:drop*|db:reset*|db:purge*|db:truncate_all|db:migrate:reset|db:schema:load", "reset"),
        ),
        "artisan": (
            Danger("migrate:fresh|migrate:reset|db:wipe|migrate:refresh", "reset"),
            Danger("migrate:rollback", "reset", needs=("--step",)),
            Danger("queue:flush|queue:clear", "reset"),
        ),
        "manage.py": (
            Danger("flush|reset_db", "reset"),
            Danger("migrate * zero", "reset"),
            Danger("shell *.all().delete()*|*raw(*drop*", "reset"),
        ),
        "prisma": (
            Danger("migrate reset", "reset"),
            Danger("db push", "reset", needs=("--force-reset", "--accept-data-loss")),
        ),
        "sequelize": (Danger("db:drop|db:migrate:undo:all", "reset"),),
        "sequelize-cli": (Danger("db:drop|db:migrate:undo:all", "reset"),),
        "typeorm": (Danger("schema:drop|migration:revert", "reset"),),
        "knex": (Danger("migrate:rollback|migrate:down", "reset", needs=("--all",)),),
        "drizzle-kit": (Danger("drop", "reset"), Danger("push", "reset", needs=("--force",))),
        "alembic": (Danger("** downgrade base", "reset"),),
        "flyway": (Danger("** clean", "reset"),),
        "liquibase": (Danger("** drop-all|dropall|rollback*", "reset"),),
        **dict.fromkeys(
            ("ace", "adonis"),
            (Danger("migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate", "reset"),),
        ),
        "yii": (Danger("migrate/fresh|migrate/down|migrate/redo", "reset"),),
        "cake": (
            Danger("migrations rollback", "reset", needs=("-t", "--target")),
            Danger("schema_cache clear", "reset"),
        ),
        "doctrine": (Danger("orm:schema-tool:drop|dbal:*drop*", "reset", unless=("--dump-sql",)),),
        "hanami": (Danger("db drop|reset|clean", "reset"),),
        "couchbase-cli": (Danger("bucket-flush|bucket-delete|collection-manage|server-remove", "drop"),),
        "rethinkdb": (Danger("restore|import", "reset", needs=("--force",)),),
        "arangorestore": (Danger("", "reset", needs=("--overwrite",)),),
        "pgbackrest": (
            Danger("** stanza-delete|expire", "drop"),
            Danger("** restore", "reset", needs=("--delta", "--force")),
        ),
        "pgloader": (Danger("", "reset", needs=("--with",)),),
        "mysqlimport": (Danger("", "reset", needs=("--delete", "-D", "--replace", "-r")),),
        "barman": (Danger("delete", "drop"),),
        "wal-g": (Danger("delete", "drop"),),
        "patronictl": (Danger("** remove|reinit", "drop"), Danger("** failover|switchover", "access")),
        "xtrabackup": (Danger("", "reset", needs=("--copy-back", "--move-back")),),
        "pt-archiver": (Danger("", "drop", needs=("--purge",)),),
        "rpk": (Danger("topic|group delete", "drop"), Danger("** trim-prefix", "drop")),
        "pulsar-admin": (
            Danger("** delete|delete-*|terminate|clear-backlog|skip*|expire-messages*|reset-cursor", "drop"),
        ),
        "sqlite-utils": (Danger("drop-table|drop-view", "drop"),),
        "migratus": (Danger("reset|down", "reset"),),
        "symfony": (
            Danger("console doctrine:database:drop|doctrine:schema:drop", "reset", unless=("--dump-sql",)),
        ),
        "skeema": (Danger("push", "reset", needs=("--allow-unsafe",)),),
        "memcflush": (Danger("", "drop"),),
        "phinx": (Danger("rollback", "reset", needs=("-t", "--target")),),
        "node-pg-migrate": (Danger("reset|redo", "reset"),),
        "db-migrate": (Danger("reset|db:drop", "reset"),),
        "graphile-migrate": (Danger("reset", "reset"),),
        "migrate-mongo": (Danger("down", "reset"),),
        "tern": (Danger("migrate", "reset", needs=("--destination",)),),
        "soda": (Danger("drop|reset", "reset"),),
        "buffalo": (Danger("pop|db drop|reset", "reset"),),
        "aerich": (Danger("downgrade", "reset"),),
        "piccolo": (Danger("migrations backwards", "reset"),),
        "yoyo": (Danger("rollback|reapply", "reset"),),
        "dbt": (Danger("clean-schema|run-operation *drop*", "reset"),),
        "flask": (Danger("** db downgrade base", "reset"), Danger("db drop|reset", "reset")),
        "migrate": (Danger("** drop", "reset"), Danger("** down", "reset", needs=("-all", "-a"))),
        "atlas": (
            Danger("schema clean", "reset"),
            Danger("** delete|terminate", "delete", action=Action.CHANGE_CLOUD),
        ),
        "dbmate": (Danger("** drop|down", "reset"),),
        "console": (
            Danger("doctrine:database:drop|doctrine:schema:drop", "reset", unless=("--dump-sql",)),
            Danger("doctrine:fixtures:load", "reset"),
        ),
        "mikro-orm": (Danger("schema:drop|schema:fresh|migration:fresh", "reset"),),
        "typeorm-ts-node-commonjs": (Danger("schema:drop", "reset"),),
        "typeorm-ts-node-esm": (Danger("schema:drop", "reset"),),
        "nats": (Danger("** rm|purge|delete|del|seal", "drop"),),
        "zkcli.sh": (Danger("** deleteall|rmr|delete", "drop"),),
        "zkCli.sh": (Danger("** deleteall|rmr|delete", "drop"),),
        "zookeepercli": (Danger("", "drop"),),
        **dict.fromkeys(
            ("pg_resetwal", "pg_archivecleanup", "pg_rewind", "vacuumlo"),
            (Danger("", "drop", unless=("-n",)),),
        ),
        "mariadb-admin": (Danger("** drop|shutdown", "drop"),),
        "influxd-ctl": (Danger("remove-data|kill-copy-shard", "drop"),),
        "mix": (
            Danger("ecto.drop|ecto.reset", "reset"),
            Danger("ecto.rollback", "reset", needs=("--all",)),
            Danger("hex.publish", "publish", action=Action.PUBLISH_PACKAGE),
            Danger("hex.retire|hex.revert", "unpublish", action=Action.PUBLISH_PACKAGE),
            Danger("hex.owner|hex.user|hex.organization *", "registry-change", action=Action.PUBLISH_PACKAGE),
            Danger("hex.repo|hex.config add|set|mirror_url*", "source-change", action=Action.CHANGE_PACKAGES),
            Danger(
                "archive.install|escript.install http*|git|github",
                "install-from-address",
                action=Action.CHANGE_PACKAGES,
            ),
        ),
        "dotnet": (
            Danger("ef database drop", "reset"),
            Danger("ef database update 0", "reset"),
            Danger("nuget push", "publish", action=Action.PUBLISH_PACKAGE),
            Danger("nuget delete", "unpublish", action=Action.PUBLISH_PACKAGE),
            Danger("nuget add|update source http*", "source-change", action=Action.CHANGE_PACKAGES),
        ),
        "diesel": (
            Danger("database reset|drop", "reset"),
            Danger("migration revert", "reset", needs=("--all", "-a")),
        ),
        "sqlx": (
            Danger("database drop|reset", "reset"),
            Danger("migrate revert", "reset", needs=("--target-version",)),
        ),
        "hasura": (Danger("** delete|clear", "reset"), Danger("migrate apply", "reset", needs=("--down",))),
        "influxd": (Danger("** delete", "drop"),),
        "mongorestore": (Danger("", "reset", needs=("--drop",)),),
        "wp": (Danger("db reset|drop|clean", "reset"), Danger("site empty", "reset")),
        "drush": (
            Danger(
                "sql-drop|sql:drop|site:install|site-install|si|entity:delete|user:cancel|user-cancel",
                "reset",
            ),
        ),
        "strapi": (Danger("transfer", "reset", needs=("--force",)),),
        "rabbitmqctl": (
            Danger("** reset|force_reset|delete_*|purge_queue|forget_cluster_node", "drop"),
            Danger("** set_user_tags|set_permissions|clear_*|change_password|add_user", "access"),
            Danger("** stop|stop_app|shutdown", "stop-service", action=Action.CHANGE_SERVICE),
        ),
        "mongoimport": (Danger("", "reset", needs=("--drop",)),),
        "rq": (Danger("empty", "drop"),),
        "celery": (Danger("** purge", "drop"), Danger("** control shutdown", "drop")),
        "airflow": (
            Danger("db reset|clean|downgrade", "reset"),
            Danger("dags|connections|variables|pools|users|roles delete", "drop"),
        ),
        "rabbitmqadmin": (Danger("delete|purge", "drop"),),
        "curator": (Danger("** delete_indices", "drop"),),
        "pg_dropcluster": (Danger("", "drop"),),
        "sqitch": (Danger("revert|rebase", "reset"),),
        "sea-orm-cli": (Danger("migrate fresh|reset|refresh|down", "reset"),),
        "dotnet-ef": (Danger("database drop", "reset"), Danger("database update 0", "reset")),
        "magento": (Danger("setup:uninstall|setup:db-data:*", "reset"),),
        "bench": (Danger("** drop-site|reinstall", "reset"),),
        "pg_ctl": (Danger("** stop|kill|promote", "drop"),),
        "nodetool": (Danger("decommission|removenode|clearsnapshot|drain", "drop"),),
        "neo4j-admin": (
            Danger("** delete|drop", "drop"),
            Danger("** load|restore", "reset", needs=("--overwrite-destination", "--force")),
        ),
    }
)
