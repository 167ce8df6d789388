# SPDX-License-Identifier: BSD-3-Clause
"""The component clump::Detector, in a container of its own or in that of a driver."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.conditions import LaunchConfigurationEquals
from launch.conditions import LaunchConfigurationNotEquals
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import ComposableNodeContainer
from launch_ros.actions import LoadComposableNodes
from launch_ros.actions import Node
from launch_ros.descriptions import ComposableNode
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('clump_ros')
    arguments = {
        'input': ('/points', 'topic of the points, sensor_msgs/PointCloud2'),
        'job': ('detect', 'detect, objects, ec, dbscan or erccl'),
        'params_file': (PathJoinSubstitution([share, 'config', 'detector.yaml']),
                        'parameters of the node'),
        'name': ('clump', 'name of the node'),
        'autostart': ('true', 'configure and activate the node, in place of a lifecycle manager'),
        'container': ('', 'a running container to load the node into; empty: its own'),
        'rviz': ('false', 'start RViz'),
    }
    detector = ComposableNode(
        package='clump_ros', plugin='clump::Detector', name=LaunchConfiguration('name'),
        remappings=[('input', LaunchConfiguration('input'))],
        parameters=[LaunchConfiguration('params_file'), {
            'job': LaunchConfiguration('job'),
            'autostart': ParameterValue(LaunchConfiguration('autostart'), value_type=bool)}],
        extra_arguments=[{'use_intra_process_comms': True}])
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=value, description=text)
          for name, (value, text) in arguments.items()),
        ComposableNodeContainer(
            name='clump_container', namespace='', package='rclcpp_components',
            executable='component_container',
            composable_node_descriptions=[detector], output='screen',
            condition=LaunchConfigurationEquals('container', '')),
        LoadComposableNodes(
            composable_node_descriptions=[detector],
            target_container=LaunchConfiguration('container'),
            condition=LaunchConfigurationNotEquals('container', '')),
        Node(package='rviz2', executable='rviz2',
             arguments=['-d', PathJoinSubstitution([share, 'rviz', 'clump.rviz'])],
             condition=IfCondition(LaunchConfiguration('rviz'))),
    ])
