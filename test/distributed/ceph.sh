#!/bin/bash
# Starts a monitor, an OSD in memory and an S3 gateway of Debian's Ceph in the folder $1, on 127.0.0.1:$2. The user is AK
# with SK. Their process ids are in $1/*.pid. Prints `ready` when the gateway answers.
set -eu
folder=$1 port=$2
mkdir -p "$folder"/{mon,osd,run,log}
cat > "$folder/ceph.conf" <<CONF
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = [v2:127.0.0.1:$((port + 1)),v1:127.0.0.1:$((port + 2))]
mon_initial_members = a
public_addr = 127.0.0.1
osd_pool_default_size = 1
osd_pool_default_min_size = 1
mon_allow_pool_size_one = true
osd_crush_chooseleaf_type = 0
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_max_pg_per_osd = 1000
auth_allow_insecure_global_id_reclaim = false
mon_data_avail_crit = 1
mon_data_avail_warn = 2
run_dir = $folder/run
log_file = $folder/log/\$name.log
admin_socket = $folder/run/\$name.asok
pid_file = $folder/run/\$name.pid
mon_data = $folder/mon
osd_data = $folder/osd
osd_objectstore = memstore
memstore_device_bytes = 3221225472
keyring = $folder/keyring
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:$port
CONF
ceph() { command ceph -c "$folder/ceph.conf" --connect-timeout 5 "$@"; }
key() { ceph-authtool "$folder/keyring" --gen-key "$@" > "$folder/log/keys" 2>&1; }
begin() { name=$1; shift; nohup "$@" -c "$folder/ceph.conf" -f > "$folder/log/$name.out" 2>&1 & echo $! > "$folder/$name.pid"; }
until_true() { for _ in $(seq 300); do "$@" && return; sleep 0.2; done; return 1; }
key --create-keyring -n mon. --cap mon 'allow *'
key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
key -n client.rgw.a --cap mon 'allow rwx' --cap osd 'allow rwx'
key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
fsid=$(sed -n 's/^fsid = //p' "$folder/ceph.conf")
monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$((port + 1)),v1:127.0.0.1:$((port + 2))]" "$folder/monmap" > "$folder/log/monmap" 2>&1
ceph-mon -c "$folder/ceph.conf" -i a --mkfs --monmap "$folder/monmap" --keyring "$folder/keyring"
begin mon ceph-mon -i a
answers() { ceph mon stat > "$folder/log/stat" 2>&1; }
until_true answers
osd=$(cat /proc/sys/kernel/random/uuid)
ceph osd new "$osd" > "$folder/log/new" 2>&1
ceph-osd -c "$folder/ceph.conf" -i 0 --mkfs --osd-uuid "$osd" > "$folder/log/mkfs" 2>&1
begin osd ceph-osd -i 0
begin rgw radosgw -n client.rgw.a
serves() { curl -s -m 2 "127.0.0.1:$port/" 2>/dev/null | grep -q ListAll; }
until_true serves
radosgw-admin -c "$folder/ceph.conf" user create --uid=t --display-name=t --access-key=AK --secret-key=SK > "$folder/log/user" 2>&1
echo ready
