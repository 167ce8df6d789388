# SPDX-License-Identifier: BSD-3-Clause
"""clump::EuclideanCluster with the arguments of the launch files of autoware_euclidean_cluster."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer
from launch_ros.actions import LoadComposableNodes
from launch_ros.descriptions import ComposableNode
from launch_ros.substitutions import FindPackageShare

ARGUMENTS = {
    'input_pointcloud': '/perception/obstacle_segmentation/pointcloud',
    'output_clusters': 'clusters',
    'use_pointcloud_container': 'false',
    'pointcloud_container_name': 'pointcloud_container',
    'voxel_grid_based_euclidean_param_path': '',
    'messages': 'universe',
}


def launch_setup(context):
    def value(name):
        return LaunchConfiguration(name).perform(context)

    params = value('voxel_grid_based_euclidean_param_path') or value('euclidean_param_path')
    cluster = ComposableNode(
        package='clump_ros', plugin='clump::EuclideanCluster', name='euclidean_cluster',
        remappings=[('input', value('input_pointcloud')), ('output', value('output_clusters'))],
        parameters=[params, {'messages': value('messages')}],
        extra_arguments=[{'use_intra_process_comms': True}])
    if value('use_pointcloud_container').lower() == 'true':
        return [LoadComposableNodes(composable_node_descriptions=[cluster],
                                    target_container=value('pointcloud_container_name'))]
    return [ComposableNodeContainer(
        name='euclidean_cluster_container', namespace='', package='rclcpp_components',
        executable='component_container',
        composable_node_descriptions=[cluster], output='screen')]


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=value) for name, value in ARGUMENTS.items()),
        DeclareLaunchArgument('euclidean_param_path', default_value=[
            FindPackageShare('clump_ros'), '/config/euclidean_cluster.param.yaml']),
        OpaqueFunction(function=launch_setup),
    ])
