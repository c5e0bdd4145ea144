"""Tables and guests in a database: schema, rows, migrations, backup."""
